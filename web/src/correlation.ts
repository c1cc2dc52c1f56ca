// How far two columns of numbers agree.

/** Pearson's r over places where both are known; NaN below three. */
export function pearson(x: ArrayLike<number>, y: ArrayLike<number>): number {
  let n = 0;
  let meanX = 0;
  let meanY = 0;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = 0; i < x.length; i++) {
    const a = x[i] ?? NaN;
    const b = y[i] ?? NaN;
    if (Number.isNaN(a) || Number.isNaN(b)) continue;
    n++;
    const da = a - meanX;
    const db = b - meanY;
    meanX += da / n;
    meanY += db / n;
    xx += da * (a - meanX);
    yy += db * (b - meanY);
    xy += da * (b - meanY);
  }
  return n < 3 || xx === 0 || yy === 0 ? NaN : xy / Math.sqrt(xx * yy);
}

/** Of the pairs ordered by both, the share ordered alike; NaN where there is none. */
export function alike(x: readonly number[], y: readonly number[]): number {
  let same = 0;
  let all = 0;
  for (let i = 0; i < x.length; i++) {
    for (let j = 0; j < i; j++) {
      const order = Math.sign((x[i] ?? NaN) - (x[j] ?? NaN)) * Math.sign((y[i] ?? NaN) - (y[j] ?? NaN));
      if (Number.isNaN(order) || order === 0) continue;
      all++;
      if (order > 0) same++;
    }
  }
  return all ? same / all : NaN;
}
