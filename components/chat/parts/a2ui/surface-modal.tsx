'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { textWithin } from '../../../../lib/protocol/a2ui/view/inspect-view';
import type { ViewNode } from '../../../../lib/protocol/a2ui/view/surface-view';
import { Button } from '../../../ui/controls/button';
import { UntrustedText } from '../../../ui/display/untrusted-text';
import { Dialog } from '../../../ui/overlays/dialog';
import { useSurfaceState } from './use-surface';

interface SurfaceModalProps {
  node: ViewNode & { kind: 'modal' };
  /** Its content. */
  children: ReactNode;
}

/** A part of a surface in a dialog, whose title names the agent, so that it cannot look like one of Parley's. */
export function SurfaceModal({ node, children }: SurfaceModalProps): ReactNode {
  const t = useTranslations('parts.a2ui');
  const { agentName } = useSurfaceState();
  const [isOpen, setOpen] = useState(false);
  const label = textWithin(node.trigger) || node.accessibleName || t('open');
  return (
    <Dialog
      onOpenChange={setOpen}
      open={isOpen}
      title={t.rich('from', { agent: () => <UntrustedText text={agentName} /> })}
      trigger={
        <Button className="max-w-full whitespace-normal">
          <UntrustedText text={label} />
        </Button>
      }
    >
      {children}
    </Dialog>
  );
}
