import { cookies, headers } from 'next/headers';
import { readPageContext } from '@/lib/pages/site';

/** Returns the context of the page that Next renders: its user and request id. */
export async function pageContext(): ReturnType<typeof readPageContext> {
  return readPageContext({ cookies: await cookies(), headers: await headers() });
}
