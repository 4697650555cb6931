import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { pageContext } from '@/app/page-context';
import { Reauthenticate } from '@/components/forms/reauthenticate';
import { isAdmin } from '@/lib/identity';
import { hasCode } from '@/lib/pages/site';

/** Returns the metadata of a moderator's page or, for other users, that of the 404 page. */
export async function metadataForModerators(metadata: Metadata): Promise<Metadata> {
  const { actor } = await pageContext();
  if (actor.kind !== 'user' || !isAdmin(actor)) notFound();
  return metadata;
}

/**
 * Loads a moderator's page: returns the value, redirects to sign-in if the last sign-in is too old, or responds with
 * 404 for other users.
 */
export async function forModerators<Value>(
  found: Promise<Value>,
  { here, show }: { here: string; show: (value: Value) => ReactNode },
): Promise<ReactNode> {
  try {
    return show(await orNotFound(found));
  } catch (error) {
    if (!hasCode(error, 'sign_in_again')) throw error;
    return <Reauthenticate returnTo={here} what="moderate" />;
  }
}
