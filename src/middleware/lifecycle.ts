/**
 * How far a server is in its life. `draining`: it still takes everything, but tells balancers to go elsewhere. `closing`: nobody can
 * connect any more, and only what is under way is ended.
 */
export interface Lifecycle {
  phase: "serving" | "draining" | "closing";
}

export const createLifecycle = (): Lifecycle => ({ phase: "serving" });
