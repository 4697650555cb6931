'use client';

import { type ReactNode, useMemo } from 'react';
import { buttonClass } from '../../ui/button';
import { ExternalIcon } from '../../ui/icons';
import { DocumentIcon, LinkIcon } from '../icons';
import type { ForeignAddress } from '../part-view';
import { CardFrame } from './card-frame';
import { formatBytes } from './format-bytes';
import { LinkedPicture } from './linked-picture';
import { withMarks } from './mark-hidden';
import { MarkedText } from './marked-text';
import { bytesOf, type FileView } from './read-file';
import { SaveButton } from './save-button';

/** A file to download; a picture is shown, anything else is never opened here. */
export function FileCard({ file }: { file: FileView }): ReactNode {
  return (
    <CardFrame label={`File ${withMarks(file.name)}`}>
      {file.image ? <Picture file={file} /> : null}
      <div className="flex flex-wrap items-center gap-3 px-3 py-2.5">
        <DocumentIcon className="shrink-0 text-muted" size={20} />
        <div className="min-w-0 flex-1 basis-40">
          <p className="font-medium [overflow-wrap:anywhere]">
            <MarkedText text={file.name} />
          </p>
          <p className="text-xs text-muted">
            {file.mediaType === 'application/octet-stream' ? 'File' : file.mediaType}
            {file.size === null ? null : `, ${formatBytes(file.size)}`}
          </p>
        </div>
        {file.size === null ? (
          <p className="text-xs text-danger">It cannot be read: its bytes are not base64.</p>
        ) : (
          <SaveButton bytes={() => bytesOf(file)} name={file.name} />
        )}
      </div>
    </CardFrame>
  );
}

/** The bytes themselves, with the type that they have and not the one they claim; their size is known before they show. */
function Picture({ file }: { file: FileView }): ReactNode {
  const { image, base64, name } = file;
  const source = useMemo(() => (image ? `data:${image.mediaType};base64,${plainBase64(base64)}` : ''), [image, base64]);
  if (!image) return null;
  return (
    <div className="flex justify-center border-b border-line bg-sunken">
      <img
        alt={withMarks(name)}
        className="h-auto max-h-96 w-auto max-w-full object-contain"
        decoding="async"
        height={image.height}
        src={source}
        width={image.width}
      />
    </div>
  );
}

function plainBase64(pieces: string[]): string {
  return pieces.join('').replace(/\s+/g, '').replace(/-/g, '+').replace(/_/g, '/');
}

export interface LinkFileProps {
  name: string | null;
  mediaType: string | null;
  uri: string;
  link: ForeignAddress | null;
}

/** A file that lies elsewhere: whoever wants it goes there, Parley does not. */
export function LinkFileCard({ name, mediaType, uri, link }: LinkFileProps): ReactNode {
  const shown = name ?? (uri.length > 200 ? `${uri.slice(0, 200)}…` : uri);
  return (
    <CardFrame className="flex flex-wrap items-center gap-3 px-3 py-2.5" label={`Linked file ${withMarks(shown)}`}>
      <LinkIcon className="shrink-0 text-muted" size={20} />
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium [overflow-wrap:anywhere]">
          <MarkedText text={shown} />
        </p>
        <p className="text-xs text-muted">
          {[mediaType, link ? `at ${link.host}` : 'not opened: only https addresses are'].filter(Boolean).join(', ')}
        </p>
      </div>
      {link && mediaType?.startsWith('image/') ? <LinkedPicture name={shown} url={link.href} /> : null}
      {link ? (
        <a
          className={buttonClass({ size: 'sm' })}
          href={link.href}
          rel="noopener nofollow ugc"
          target="_blank"
          title={link.href}
        >
          Open
          <span className="sr-only"> at {link.host} in a new tab</span>
          <ExternalIcon size={14} />
        </a>
      ) : null}
    </CardFrame>
  );
}
