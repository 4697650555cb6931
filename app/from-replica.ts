import { pageContext } from '@/app/page-context';
import { readFromReplica } from '@/lib/pages/site';

/**
 * Runs the reads of a page, which may go to a replica of the database if the visitor sees everything that they wrote.
 * For public data and figures, not for settings, money, tasks and tokens.
 */
export async function fromReplica<T>(read: () => Promise<T>): Promise<T> {
  return readFromReplica(await pageContext(), read);
}
