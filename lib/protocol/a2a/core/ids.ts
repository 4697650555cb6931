/** What ids of tasks, contexts and messages are made of, whoever chose them. */
export const idPattern = /^[^\p{Cc}]{1,255}$/u;

/** True for what may be an id; the database has no place for some of the rest. */
export function isId(text: string): boolean {
  return text.length <= 255 && idPattern.test(text);
}
