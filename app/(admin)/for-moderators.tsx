import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { pageContext } from '@/app/page-context';
import { Reauthenticate } from '@/components/forms/reauthenticate';
import { isAdmin } from '@/lib/identity';
import { hasCode } from '@/lib/pages/site';

/** The metadata of a moderator's page. For other users, the metadata of the 404 page. */
export async function metadataForModerators(metadata: Metadata): Promise<Metadata> {
  const { actor } = await pageContext();
  if (actor.kind !== 'user' || !isAdmin(actor)) notFound();
  return metadata;
}

/** A moderator's page: the value, or sign-in again if the last sign-in is too old, or 404 for others. */
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
