import cluster from "node:cluster";

// Loaded before the server: breaks something in it that nobody catches, when told to.
process.on("SIGUSR2", () => {
  throw new Error("broken on purpose");
});
process.on("SIGWINCH", () => {
  void Promise.reject(new Error("rejected on purpose"));
});

if (process.env["BREAK_WORKERS"] === "at-start" && cluster.isWorker) throw new Error("broken at the start");
