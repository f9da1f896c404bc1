// Runs before each file of tests: files share a process (vitest.config.ts), and what one has left there must not reach the next.
import { useOwn } from "../../src/meilisearch/stored-vocabulary.ts";

useOwn(undefined);
