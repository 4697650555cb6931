'use client';

import type { ReactNode } from 'react';
import { Dialog } from '../ui/dialog';
import { shortcuts } from './shortcuts';

/** All keys of the site. */
export function ShortcutSheet({ onClose }: { onClose: () => void }): ReactNode {
  return (
    <Dialog
      description="They rest while you type into a field."
      onOpenChange={(open) => !open && onClose()}
      open
      title="Keys"
    >
      <dl className="divide-y divide-line text-sm">
        {shortcuts.map(({ keys, does, where }) => (
          <div className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-2.5" key={`${where} ${keys}`}>
            <dt>
              {does}
              <span className="text-muted"> · {where}</span>
            </dt>
            <dd>
              <kbd className="rounded-sm border border-line-strong bg-sunken px-1.5 py-0.5 font-mono text-xs">
                {keys}
              </kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
