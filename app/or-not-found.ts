import { notFound } from 'next/navigation';
import { hasCode } from '@/lib/pages/site';

/** Returns the value, or the 404 page. */
export async function orNotFound<Value>(found: Promise<Value>): Promise<Value> {
  try {
    return await found;
  } catch (error) {
    if (hasCode(error, 'not_found', 'invalid_target', 'gone')) notFound();
    throw error;
  }
}
