/** A script as Next writes it into the head: its address and its nonce. */
export const headScriptPattern: RegExp = /<script src="([^"]+)" async="" nonce="([^"]+)"><\/script>/g;

/**
 * The head of a page with one script more, by the nonce of Next's own: before the style sheet, which it would wait for. A head
 * without scripts stays as it is.
 */
export function injectIntoHead(head: string, script: string): string {
  const [, , nonce] = head.matchAll(headScriptPattern).next().value ?? [];
  if (nonce === undefined) return head;
  const at = head.search(/<link rel="stylesheet"|$/);
  return `${head.slice(0, at)}<script nonce="${nonce}">${script}</script>${head.slice(at)}`;
}
