import Link from 'next/link';
import type { ReactNode } from 'react';
import type { LookAlike } from '@/lib/catalog/schema';
import { agentPath } from '../shell/routes';
import { Alert } from '../ui/alert';

/** Says calmly that another, verified agent has nearly the same name. */
export function LookAlikeNote({ original }: { original: LookAlike }): ReactNode {
  return (
    <Alert className="mt-5" title="Not to be confused with another agent" tone="warn">
      The name looks like that of{' '}
      <Link className="text-link" href={agentPath(original.slug)} prefetch={false}>
        <bdi>{original.name}</bdi>
      </Link>
      , whose owner is verified and is somebody else. Make sure that this is the one you look for.
    </Alert>
  );
}
