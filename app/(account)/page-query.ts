import { safeNext } from '@/lib/identity/schema';

/** What Next hands to a page as its query. */
export type PageQuery = Promise<Record<string, string | string[] | undefined>>;

/** The query of an account page: the way back, made safe (RED-1), and single values of the other parameters. */
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
