import { MAX_PATTERN_LENGTH, MAX_PATTERN_REPEATS } from '../limits';

const repeat = String.raw`(?:[?*+]|\{(\d{1,3})(?:,(\d{0,3}))?\})`;
const character = String.raw`(?:\\[dDwWsS./\\+*?()[\]{}^$|-]|\[\^?(?:\\[dwsDWS./\\+*?()[\]{}^$|-]|[^\\[\]])+\]|[^\\^$.|?*+()[\]{}]|\.)`;
const element = new RegExp(`${character}(${repeat})?`, 'uy');

/**
 * Returns a pattern of an agent if it matches every text in a time that is bounded: it is anchored, has neither groups nor
 * alternatives, and few elements that repeat a variable number of times. Null for every other pattern, which only the agent
 * can check.
 */
export function readSafePattern(pattern: string): RegExp | null {
  if (pattern.length > MAX_PATTERN_LENGTH || !pattern.startsWith('^')) return null;
  const end = pattern.endsWith('$') ? pattern.length - 1 : pattern.length;
  let repeats = 0;
  element.lastIndex = 1;
  while (element.lastIndex < end) {
    const found = element.exec(pattern);
    if (!found) return null;
    const [, quantifier, least, most] = found;
    const isFixed = quantifier === undefined || (least !== undefined && (most === undefined || most === least));
    if (!isFixed) repeats += 1;
  }
  if (element.lastIndex !== end || repeats > MAX_PATTERN_REPEATS) return null;
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return null;
  }
}
