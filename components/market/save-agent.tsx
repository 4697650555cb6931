'use client';

import dynamic from 'next/dynamic';
import { type ReactNode, useState } from 'react';
import { agentPath, signInPath } from '../shell/routes';
import { Button } from '../ui/button';
import { LinkButton } from '../ui/link-button';

const SaveDialog = dynamic(async () => (await import('./save-dialog')).SaveDialog);

export interface SaveAgentProps {
  slug: string;
  name: string;
  isSignedIn: boolean;
}

/** Keeps an agent in one's collections; whoever is not signed in signs in first and comes back. */
export function SaveAgent({ slug, name, isSignedIn }: SaveAgentProps): ReactNode {
  const [open, setOpen] = useState(false);
  if (!isSignedIn) return <LinkButton href={signInPath(agentPath(slug))}>Save</LinkButton>;
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Save
      </Button>
      {open ? <SaveDialog name={name} onOpenChange={setOpen} slug={slug} /> : null}
    </>
  );
}
