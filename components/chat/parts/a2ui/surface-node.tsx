import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import type { CSSProperties, ReactNode } from 'react';
import type { Align, Justify, ViewNode } from '../../../../lib/protocol/a2ui/view/surface-view';
import { Skeleton } from '../../../ui/controls/loading';
import { Tabs } from '../../../ui/controls/tabs';
import { UntrustedText, withIndex } from '../../../ui/display/untrusted-text';
import { lazyComponent } from '../../../ui/overlays/lazy';
import { LinkFileCard } from '../file-card';
import { safeHref } from '../markdown/safe-href';
import { SurfaceButton } from './surface-button';
import { SurfaceControl } from './surface-control';
import { SurfaceIcon } from './surface-icon';
import { SurfaceImage } from './surface-image';
import { SurfaceText } from './surface-text';
import { useSurfaceState } from './use-surface';

const SurfaceModal = lazyComponent(async () => (await import('./surface-modal')).SurfaceModal);

type Of<Kind extends ViewNode['kind']> = { node: ViewNode & { kind: Kind } };

/** A component of a surface and those within it. */
export function SurfaceNode({ node }: { node: ViewNode }): ReactNode {
  switch (node.kind) {
    case 'text':
      return <SurfaceText node={node} />;
    case 'image':
      return <SurfaceImage node={node} />;
    case 'icon':
      return <SurfaceIcon label={node.accessibleName} name={node.icon} />;
    case 'media':
      return <Media node={node} />;
    case 'row':
    case 'column':
      return <Stack node={node} />;
    case 'list':
      return <List node={node} />;
    case 'card':
      return <div className="rounded-md border border-line bg-raised p-3">{within(node.child)}</div>;
    case 'tabs':
      return <SurfaceTabs node={node} />;
    case 'modal':
      return <SurfaceModal node={node}>{within(node.content)}</SurfaceModal>;
    case 'divider':
      return node.isVertical ? (
        <div aria-hidden="true" className="w-px self-stretch bg-line" />
      ) : (
        <hr className="w-full border-line" />
      );
    case 'button':
      return <SurfaceButton node={node} />;
    case 'unknown':
      return <Unknown node={node} />;
    case 'missing':
      return <Missing />;
    case 'cut':
      return null;
    default:
      return <SurfaceControl node={node} />;
  }
}

function within(child: ViewNode | null): ReactNode {
  return child ? <SurfaceNode node={child} /> : null;
}

const justifies: Record<Justify, string> = {
  start: 'justify-start',
  center: 'justify-center',
  end: 'justify-end',
  spaceBetween: 'justify-between',
  spaceAround: 'justify-around',
  spaceEvenly: 'justify-evenly',
  stretch: 'justify-start',
};

const aligns: Record<Align, string> = {
  start: 'items-start',
  center: 'items-center',
  end: 'items-end',
  stretch: 'items-stretch',
};

/** Narrower children of a row wrap. */
const MIN_SHARE = '6rem';

function Stack({ node: { kind, children, justify, align } }: Of<'row' | 'column'>): ReactNode {
  const isRow = kind === 'row';
  const shares = isRow && justify === 'stretch';
  return (
    <div
      className={clsx(
        'flex min-w-0',
        isRow ? 'flex-row flex-wrap gap-x-2 gap-y-3' : 'flex-col',
        !isRow && (children.every(({ kind }) => kind === 'text') ? 'gap-y-0.5' : 'gap-y-3'),
        justifies[justify],
        aligns[align],
      )}
    >
      {children.map((child) => (
        <div
          className={clsx('min-w-0 max-w-full empty:hidden', isRow && align === 'stretch' && 'self-center')}
          key={child.key}
          style={isRow ? shareOf(child.weight ?? (shares ? 1 : null)) : undefined}
        >
          <SurfaceNode node={child} />
        </div>
      ))}
    </div>
  );
}

function shareOf(weight: number | null): CSSProperties | undefined {
  return weight === null ? undefined : { flex: `${weight} 1 ${MIN_SHARE}` };
}

function List({ node: { children, isHorizontal } }: Of<'list'>): ReactNode {
  return (
    <ul className={isHorizontal ? 'flex gap-3 overflow-x-auto pb-1' : 'space-y-2'}>
      {children.map((child) => (
        <li className={isHorizontal ? 'w-56 max-w-[80%] shrink-0' : 'min-w-0'} key={child.key}>
          <SurfaceNode node={child} />
        </li>
      ))}
    </ul>
  );
}

function SurfaceTabs({ node: { tabs, accessibleName } }: Of<'tabs'>): ReactNode {
  const t = useTranslations('parts.a2ui');
  const shown = withIndex(tabs).map(({ item, index }) => ({
    id: String(index),
    label: item.title || t('tab', { number: index + 1 }),
    panel: within(item.child),
  }));
  return shown.length === 0 ? null : <Tabs label={accessibleName || t('tabs')} tabs={shown} />;
}

function Media({ node: { type, url, text } }: Of<'media'>): ReactNode {
  const t = useTranslations('parts.a2ui');
  const href = safeHref(url);
  const link = href?.startsWith('https:') ? { href, host: new URL(href).host } : null;
  return <LinkFileCard link={link} mediaType={null} name={text || t(type)} uri={url} />;
}

/** A component that is not in the catalog: its texts, and what it contains. */
function Unknown({ node: { texts, children } }: Of<'unknown'>): ReactNode {
  return (
    <div className="space-y-2">
      {withIndex(texts).map(({ item, index }) => (
        <p className="break-words" dir="auto" key={index}>
          <UntrustedText text={item} />
        </p>
      ))}
      {children.map((child) => (
        <SurfaceNode key={child.key} node={child} />
      ))}
    </div>
  );
}

function Missing(): ReactNode {
  return useSurfaceState().isStreaming ? <Skeleton className="h-6 w-32" /> : null;
}
