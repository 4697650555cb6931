'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button, type ButtonTone } from '../../ui/button';
import { DownloadIcon } from '../../ui/icons';
import { withMarks } from './mark-hidden';
import { saveFile } from './save-file';

export interface SaveButtonProps {
  /** Name of the file as its author gave it. */
  name: string;
  /** Asked for when the button is pressed. */
  bytes: () => Uint8Array<ArrayBuffer>;
  tone?: ButtonTone;
}

/** Saves a file that is already here. */
export function SaveButton({ name, bytes, tone }: SaveButtonProps): ReactNode {
  const t = useTranslations('parts.saveButton');
  return (
    <Button
      aria-label={t('downloadWhat', { name: withMarks(name) })}
      icon={<DownloadIcon size={16} />}
      onClick={() => saveFile({ name, bytes: bytes() })}
      size="sm"
      tone={tone}
    >
      {t('download')}
    </Button>
  );
}
