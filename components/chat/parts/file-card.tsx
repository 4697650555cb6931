'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useMemo, useState } from 'react';
import { Button, buttonClass } from '../../ui/controls/button';
import { DocumentIcon, LinkIcon } from '../../ui/display/action-icons';
import { useFormat } from '../../ui/display/format';
import { ExternalIcon } from '../../ui/display/icons';
import { revealInvisible, UntrustedText } from '../../ui/display/untrusted-text';
import { toast } from '../../ui/overlays/toast';
import { call } from '../state/api';
import { useProblem } from '../state/use-problem';
import { CardFrame } from './card-frame';
import type { ExternalAddress } from './part-view';
import { bytesOf, type FileView } from './read-file';
import { SaveButton } from './save-button';

/** A file to download. Images are displayed; other files are never opened here. */
export function FileCard({ file }: { file: FileView }): ReactNode {
  const t = useTranslations('parts.fileCard');
  const format = useFormat();
  const tArtifact = useTranslations('parts.artifact');
  const name = file.name ?? (file.isArtifact ? tArtifact('unnamed') : t('unnamed'));
  const type = file.mediaType === 'application/octet-stream' ? t('anyType') : file.mediaType;
  return (
    <CardFrame label={t('label', { name: revealInvisible(name) })}>
      {file.image ? <ImagePreview file={file} name={name} /> : null}
      <div className="flex flex-wrap items-center gap-3 px-3 py-2.5">
        <DocumentIcon className="shrink-0 text-muted" size={20} />
        <div className="min-w-0 flex-1 basis-40">
          <p className="font-medium [overflow-wrap:anywhere]">
            <UntrustedText text={name} />
          </p>
          <p className="text-xs text-muted">
            {file.size === null ? type : t('facts', { type, size: format.bytes(file.size) })}
          </p>
        </div>
        {file.size === null ? (
          <p className="text-xs text-danger">{t('unreadable')}</p>
        ) : (
          <SaveButton bytes={() => bytesOf(file)} name={name} />
        )}
      </div>
    </CardFrame>
  );
}

/** An image with its detected media type instead of the declared one. Its size is known before it renders. */
function ImagePreview({ file, name }: { file: FileView; name: string }): ReactNode {
  const { image, base64 } = file;
  const source = useMemo(() => (image ? `data:${image.mediaType};base64,${plainBase64(base64)}` : ''), [image, base64]);
  if (!image) return null;
  return (
    <div className="flex justify-center border-b border-line bg-sunken">
      <img
        alt={revealInvisible(name)}
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

interface LinkFileProps {
  name: string | null;
  mediaType: string | null;
  uri: string;
  link: ExternalAddress | null;
}

/** A file on another host. The user may open the link; Parley does not fetch it. */
export function LinkFileCard({ name, mediaType, uri, link }: LinkFileProps): ReactNode {
  const t = useTranslations('parts.fileCard');
  const shown = name ?? (uri.length > 200 ? `${uri.slice(0, 200)}…` : uri);
  const locationArgs = { type: mediaType ?? '', host: link?.host ?? '' };
  const location = link
    ? t(mediaType ? 'typeAt' : 'at', locationArgs)
    : t(mediaType ? 'typeNotOpened' : 'notOpened', locationArgs);
  return (
    <CardFrame
      className="flex flex-wrap items-center gap-3 px-3 py-2.5"
      label={t('linkLabel', { name: revealInvisible(shown) })}
    >
      <LinkIcon className="shrink-0 text-muted" size={20} />
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium [overflow-wrap:anywhere]">
          <UntrustedText text={shown} />
        </p>
        <p className="text-xs text-muted">{location}</p>
      </div>
      {link && mediaType?.startsWith('image/') ? <LinkedImage name={shown} url={link.href} /> : null}
      {link ? (
        <a
          className={buttonClass({ size: 'sm' })}
          href={link.href}
          rel="noopener nofollow ugc"
          target="_blank"
          title={link.href}
        >
          {t.rich('open', { host: link.host, hidden: (chunks) => <span className="sr-only">{chunks}</span> })}
          <ExternalIcon size={14} />
        </a>
      ) : null}
    </CardFrame>
  );
}

/** An image on another host, loaded on click and through Parley, so that the host receives no data about the reader. */
function LinkedImage({ url, name }: { url: string; name: string }): ReactNode {
  const t = useTranslations('parts.linkedPicture');
  const problemOf = useProblem();
  const [src, setSrc] = useState<string | null>(null);
  const [pending, setPending] = useState(false);

  async function load(): Promise<void> {
    setPending(true);
    try {
      setSrc((await requestImageUrl(url)).src);
    } catch (error) {
      toast({ tone: 'danger', text: t('notLoaded', { reason: problemOf(error, t('tryAgain')) }) });
    }
    setPending(false);
  }

  if (src === null) {
    return (
      <Button onClick={() => void load()} pending={pending} size="sm">
        {t('load')}
      </Button>
    );
  }
  return (
    <img
      alt={revealInvisible(name)}
      className="h-auto max-h-96 w-auto max-w-full basis-full object-contain"
      decoding="async"
      onError={() => {
        setSrc(null);
        toast({ tone: 'danger', text: t('failed') });
      }}
      src={src}
    />
  );
}

/** Requests the URL of Parley's re-encoded copy of a third-party image, after the user asked for it. */
function requestImageUrl(url: string): Promise<{ src: string }> {
  return call('POST', '/api/chat/pictures', { url });
}
