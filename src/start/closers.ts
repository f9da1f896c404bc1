/** Things to close, in the order they were opened; they are closed in the opposite order. */
export type Closers = (() => Promise<void>)[];
