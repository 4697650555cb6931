import type { Metadata } from 'next';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import type { SettingsGroup } from '@/components/account/settings/settings-groups';

/** Returns the metadata of a group's page. */
export async function settingsMetadata(group: SettingsGroup): Promise<Metadata> {
  const t = await getTranslations('account.settingsFrame');
  return { title: t('title', { group: t(`groups.${group}`) }) };
}

interface TextWithLinkProps {
  href: string;
  /** Returns the message, whose tag `link` is rendered by the function that it gets. */
  text: (link: (chunks: ReactNode) => ReactNode) => ReactNode;
}

/** A message of a settings page with one link. */
export function TextWithLink({ href, text }: TextWithLinkProps): ReactNode {
  return text((chunks) => (
    <Link className="text-link" href={href} prefetch={false}>
      {chunks}
    </Link>
  ));
}
