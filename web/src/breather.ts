// Long work in pieces, so that the page answers in between.

/** Milliseconds of work before the page gets its turn. */
const TURN = 20;

/** Await the returned function in a loop: it pauses when it is time to. */
export function breather(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < TURN) return undefined;
    return new Promise((done) => {
      setTimeout(() => {
        since = performance.now();
        done();
      });
    });
  };
}
