import { shared } from '../../platform/registry';
import { type Lane, SharedCommit } from '../../platform/shared-commit';
import { queryTogether } from '../../platform/sql-together';

/** The commits in which tasks are written: new ones and what happens to the others, of all requests, together. */
const journal = (): SharedCommit => shared('journal', () => new SharedCommit(queryTogether));

/** The way to write one kind of thing in the journal's commits. */
export function journalLane<Item, Result>(name: string, lane: Lane<Item, Result>): (item: Item) => Promise<Result> {
  return shared(name, () => journal().lane(lane));
}

/** Notices name so many objects at most: PostgreSQL takes 8,000 bytes. */
export const mostNoticed = 200;
