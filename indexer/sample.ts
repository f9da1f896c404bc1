export interface Sample<T> {
  add(value: T): void;
  values(): readonly T[];
}

/** A few values from all over a stream of unknown length: every n-th, where n doubles whenever there are too many. */
export function createSample<T>(maxSize: number): Sample<T> {
  let kept: T[] = [];
  let step = 1;
  let count = 0;
  return {
    add(value) {
      if (count % step === 0) kept.push(value);
      count += 1;
      if (kept.length <= maxSize) return;
      kept = kept.filter((_, index) => index % 2 === 0);
      step *= 2;
    },
    values: () => kept,
  };
}
