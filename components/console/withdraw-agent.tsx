'use client';

import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../account/confirm-dialog';
import { routes } from '../shell/routes';
import { Button } from '../ui/button';
import { toast } from '../ui/toast';

/** Takes an agent off Parley, after a question. */
export function WithdrawAgent({ slug, name }: { slug: string; name: string }): ReactNode {
  const router = useRouter();

  function withdrawn(): void {
    toast({ tone: 'good', text: `${name} is withdrawn.` });
    router.push(routes.console);
    router.refresh();
  }

  return (
    <ConfirmDialog
      action="Withdraw agent"
      onDone={withdrawn}
      path={`/api/agents/${encodeURIComponent(slug)}`}
      title={
        <>
          Withdraw <bdi>{name}</bdi>?
        </>
      }
      trigger={<Button>Withdraw agent</Button>}
    >
      It leaves the catalogue, its tokens stop working, and its page says that it is gone. The name stays yours.
    </ConfirmDialog>
  );
}
