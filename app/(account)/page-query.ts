import { safeNext } from '@/lib/identity/schema';

/** The query that Next passes to a page. */
export type PageQuery = Promise<Record<string, string | string[] | undefined>>;

/** Reads the query of an account page: the validated `next` path and single values of other parameters. */
export async function readQuery(
  query: PageQuery,
): Promise<{ next: string; value: (name: string) => string | undefined }> {
  const given = await query;
  return {
    next: safeNext(given.next),
    value(name) {
      const found = given[name];
      return typeof found === 'string' ? found : undefined;
    },
  };
}
