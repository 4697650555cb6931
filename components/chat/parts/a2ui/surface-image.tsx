import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useState } from 'react';
import type { ImageSize, ViewNode } from '../../../../lib/protocol/a2ui/view/surface-view';
import { revealInvisible } from '../../../ui/display/untrusted-text';
import { call } from '../../state/api';
import { useSurfaceState } from './use-surface';

const sizes: Record<ImageSize, string> = {
  icon: 'size-6',
  avatar: 'size-10 rounded-full',
  smallFeature: 'h-20 w-28 rounded-md',
  mediumFeature: 'h-36 w-full max-w-72 rounded-md',
  largeFeature: 'h-52 w-full max-w-xl rounded-md',
  header: 'h-40 w-full rounded-md',
};

/** Inline pictures in the formats that browsers decode without running anything. */
const inline = /^data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]+$/;

/**
 * A picture of a surface: after the person asked for the pictures, Parley's re-encoded copy, so that the host receives
 * nothing about the reader. Until then, and for anything that is not an https URL, its description.
 */
export function SurfaceImage({ node }: { node: ViewNode & { kind: 'image' } }): ReactNode {
  const t = useTranslations('parts.a2ui');
  const { url, size, fit } = node;
  const alt = revealInvisible(node.alt || node.accessibleName);
  const { showsImages } = useSurfaceState();
  const [src, setSrc] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  const wanted = showsImages && url.startsWith('https:');

  useEffect(() => {
    if (!wanted) return;
    let isCurrent = true;
    setFailed(false);
    call<{ src: string }>('POST', '/api/chat/pictures', { url }).then(
      (signed) => isCurrent && setSrc(signed.src),
      () => isCurrent && setFailed(true),
    );
    return () => {
      isCurrent = false;
    };
  }, [url, wanted]);

  const shown = inline.test(url) ? url : src;
  const shape = clsx('block overflow-hidden', sizes[size]);
  if (shown && !failed) {
    return (
      <img
        alt={alt}
        className={clsx(shape, fit === 'cover' ? 'object-cover' : 'object-contain')}
        decoding="async"
        onError={() => setFailed(true)}
        src={shown}
      />
    );
  }
  if (size === 'icon' || size === 'avatar') {
    return <span aria-label={alt || t('image')} className={clsx(shape, 'bg-sunken')} role="img" />;
  }
  return (
    <div
      className={clsx(shape, 'flex items-center justify-center border border-line bg-sunken p-2 text-xs text-muted')}
    >
      <span className="line-clamp-3 text-center" dir="auto">
        {failed ? t('imageFailed') : alt || t('image')}
      </span>
    </div>
  );
}
