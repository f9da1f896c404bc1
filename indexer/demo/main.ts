import { HELP, parseArguments, UsageError } from "./arguments.ts";
import { writePlaces } from "./demo-places.ts";

const EXIT_USAGE = 2;

// A reader such as `head` closes the pipe when it has enough: not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  console.error(`demo-data: cannot write: ${error.message}`);
  process.exit(1);
});

try {
  const options = parseArguments(process.argv.slice(2));
  if (options === "help") process.stdout.write(HELP);
  else await writePlaces(options, process.stdout);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`demo-data: ${error.message}\nTry --help.`);
  process.exitCode = EXIT_USAGE;
}
