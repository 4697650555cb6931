/** @typedef {{ status: 'ok' | 'warn' | 'fail', found: string, advice?: string }} Finding */

/** @param {string} found @returns {Finding} */
export const ok = (found) => ({ status: 'ok', found });

/** @param {string} found @param {string} advice the next step @returns {Finding} */
export const warn = (found, advice) => ({ status: 'warn', found, advice });

/** @param {string} found @param {string} advice the next step @returns {Finding} */
export const fail = (found, advice) => ({ status: 'fail', found, advice });

/**
 * Returns the error's text without the credentials in URLs, which drivers include.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function textOf(error) {
  const { message, errors, code } = error ?? {};
  const text = message || errors?.[0]?.message || code || String(error);
  return text.replace(/\/\/[^/@\s]*@/g, '//…@').split('\n')[0];
}
