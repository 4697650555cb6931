'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Checkbox } from '../../forms/inputs';
import { Dialog } from '../../ui/overlays/dialog';
import { isApple, shortcuts, useQuestionMark } from './shortcuts';

/** All keyboard shortcuts. */
export function ShortcutSheet({ onClose }: { onClose: () => void }): ReactNode {
  const t = useTranslations('shell.shortcutSheet');
  const [isOn, setOn] = useQuestionMark();
  const command = t(isApple() ? 'command.apple' : 'command.other');
  return (
    <Dialog
      description={t('description', { command })}
      onOpenChange={(open) => !open && onClose()}
      open
      title={t('title')}
    >
      <dl className="divide-y divide-line text-sm">
        {shortcuts.map(({ shortcut, where }) => (
          <div className="flex items-start justify-between gap-x-6 py-2.5" key={shortcut}>
            <dt>
              {t(`does.${shortcut}`)}
              <span className="text-muted"> · {t(`where.${where}`)}</span>
            </dt>
            <dd className="shrink-0">
              <kbd className="rounded-sm border border-line-strong bg-sunken px-1.5 py-0.5 font-mono text-xs">
                {t(`keys.${shortcut}`, { command })}
              </kbd>
            </dd>
          </div>
        ))}
      </dl>
      <Checkbox
        checked={isOn}
        className="mt-2"
        label={t('questionMark')}
        onChange={(event) => setOn(event.target.checked)}
      />
    </Dialog>
  );
}
