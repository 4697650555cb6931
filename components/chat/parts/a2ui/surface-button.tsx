import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { iconWithin, textWithin } from '../../../../lib/protocol/a2ui/view/inspect-view';
import { Button, type ButtonTone, buttonClass } from '../../../ui/controls/button';
import { ExternalIcon } from '../../../ui/display/icons';
import { revealInvisible, UntrustedText } from '../../../ui/display/untrusted-text';
import { safeHref } from '../markdown/safe-href';
import { SurfaceIcon } from './surface-icon';
import { type ButtonNode, useSurfaceState } from './use-surface';

const tones: Record<ButtonNode['tone'], ButtonTone> = { default: 'secondary', primary: 'primary', borderless: 'quiet' };

/**
 * A button of a surface. It sends the agent's action as the person's message, or opens a link, whose host is displayed.
 * Nothing else presses it.
 */
export function SurfaceButton({ node }: { node: ButtonNode }): ReactNode {
  const t = useTranslations('parts.a2ui');
  const { isOpen, isStreaming, pressed, press, showsFaults } = useSurfaceState();
  const text = textWithin(node.child);
  const label = node.accessibleName || text || t('button');
  const icon = iconWithin(node.child);
  const glyph = icon ? <SurfaceIcon label="" name={icon} /> : null;
  const content = text === '' && glyph ? null : <UntrustedText text={text || label} />;
  const className = 'max-w-full py-1.5 whitespace-normal [overflow-wrap:anywhere]';
  if (node.press.kind === 'link') return <SurfaceLink glyph={glyph} label={label} url={node.press.url} />;
  return (
    <div className="space-y-1">
      <Button
        aria-disabled={!isOpen || isStreaming || node.press.kind === 'none' || undefined}
        aria-label={content ? undefined : revealInvisible(label)}
        className={className}
        icon={glyph}
        onClick={() => press(node, label)}
        pending={pressed === `${node.id} ${node.base.join('/')}`}
        tone={tones[node.tone]}
      >
        {content}
      </Button>
      {showsFaults && node.faults.length > 0 ? (
        <p className="text-sm text-danger">
          <UntrustedText text={node.faults[0] || t('fault')} />
        </p>
      ) : null}
    </div>
  );
}

/** A link of a surface; one that must not be opened is text. */
function SurfaceLink({ url, label, glyph }: { url: string; label: string; glyph: ReactNode }): ReactNode {
  const t = useTranslations('parts.markdown');
  const href = safeHref(url);
  if (!href?.startsWith('https:')) return <UntrustedText text={label} />;
  return (
    <a
      className={`${buttonClass({})} max-w-full whitespace-normal`}
      href={href}
      rel="noopener nofollow ugc"
      target="_blank"
      title={href}
    >
      {glyph}
      <UntrustedText text={label} />
      <span className="text-xs text-muted">({new URL(href).host})</span>
      <ExternalIcon size={14} />
      <span className="sr-only">{t('newTab')}</span>
    </a>
  );
}
