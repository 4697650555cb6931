'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/controls/button';
import { FileIcon } from '../../ui/display/action-icons';
import { CloseIcon } from '../../ui/display/icons';
import { type Attachment, formatSize, sizeOf } from '../state/attachments';

interface ComposerAttachmentsProps {
  files: Attachment[];
  onRemove: (name: string) => void;
}

/** Image types that browsers render and that cannot contain script, unlike SVG. */
const PREVIEW_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Files attached to the message. */
export function ComposerAttachments({ files, onRemove }: ComposerAttachmentsProps): ReactNode {
  const t = useTranslations('chat.composerFiles');
  const tSize = useTranslations('chat.attachments');
  return (
    <ul aria-label={t('attached')} className="flex flex-wrap gap-2 px-3 pt-3">
      {files.map((file) => (
        <li
          className="flex max-w-full items-center gap-2 rounded-md border border-line bg-sunken ps-2.5 text-sm"
          key={file.name}
        >
          {PREVIEW_TYPES.has(file.mediaType) ? (
            <img
              alt={t('preview', { name: file.name })}
              className="-ms-1 my-1 size-10 shrink-0 rounded-sm bg-surface object-cover"
              src={`data:${file.mediaType};base64,${file.bytes}`}
            />
          ) : (
            <FileIcon className="shrink-0" size={16} />
          )}
          <bdi className="min-w-0 truncate">{file.name}</bdi>
          <span className="shrink-0 text-muted">{formatSize(sizeOf(file), tSize)}</span>
          <IconButton label={t('remove', { name: file.name })} onClick={() => onRemove(file.name)} size="sm">
            <CloseIcon size={14} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
