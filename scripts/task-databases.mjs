// The databases of TASK_DATABASE_URLS, which have the rows of owners (docs/decisions/0051).
import { primaryUrl } from './primary-url.mjs';

/**
 * Returns the name and the URL of the primary of each database in a `TASK_DATABASE_URLS`. The caller has validated it.
 *
 * @param {string} [value]
 * @returns {Promise<{ name: string, url: string }[]>}
 */
export async function readTaskDatabases(value = process.env.TASK_DATABASE_URLS ?? '') {
  const items = value.split(/\s+/).filter(Boolean);
  return Promise.all(
    items.map(async (item) => {
      const at = item.indexOf('=');
      return { name: item.slice(0, at), url: await primaryUrl(item.slice(at + 1)) };
    }),
  );
}
