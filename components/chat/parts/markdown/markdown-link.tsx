import { useTranslations } from 'next-intl';
import { createContext, type ReactNode, useContext } from 'react';
import type { ExtraProps } from 'react-markdown';
import { ExternalIcon } from '../../../ui/display/icons';
import { safeHref } from './safe-href';

/** True inside a link, because HTML does not permit nested links. */
const InLink = createContext(false);

interface LinkProps extends ExtraProps {
  href?: string | undefined;
  children?: ReactNode;
}

interface ImageProps {
  src?: string | Blob | undefined;
  alt?: string | undefined;
}

type Node = NonNullable<ExtraProps['node']>;

/** An agent's link. Its target is displayed next to it, unless the text already is the URL. */
export function MarkdownLink({ href, node, children }: LinkProps): ReactNode {
  const address = href ? safeHref(href) : null;
  if (!address) return <span>{children}</span>;
  const text = node ? textOf(node) : '';
  const isAddress = [text, `https://${text}`, `http://${text}`, `mailto:${text}`].some(
    (it) => safeHref(it) === address,
  );
  return (
    <InLink value={true}>
      <ExternalAnchor address={address}>{children}</ExternalAnchor>
      {isAddress ? null : <Destination address={address} />}
    </InLink>
  );
}

/** An image in an agent's text, which is never fetched but displayed as a link. */
export function MarkdownImage({ src, alt }: ImageProps): ReactNode {
  const t = useTranslations('parts.markdown');
  const address = typeof src === 'string' ? safeHref(src) : null;
  const label = alt ? t('imageOf', { description: alt }) : t('image');
  if (useContext(InLink) || !address) return <span>{label}</span>;
  return (
    <>
      <ExternalAnchor address={address}>{label}</ExternalAnchor>
      <Destination address={address} />
    </>
  );
}

function ExternalAnchor({ address, children }: { address: string; children: ReactNode }): ReactNode {
  const t = useTranslations('parts.markdown');
  return (
    <a className="text-link" href={address} rel="noopener nofollow ugc" target="_blank" title={address}>
      <bdi>{children}</bdi>
      <ExternalIcon className="ms-1 inline align-[-0.1em]" size={13} />
      <span className="sr-only"> {t('newTab')}</span>
    </a>
  );
}

function Destination({ address }: { address: string }): ReactNode {
  const { host, pathname } = new URL(address);
  return <bdi className="text-xs text-muted"> ({host || pathname})</bdi>;
}

function textOf(node: Node | Node['children'][number]): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? node.children.map(textOf).join('') : '';
}
