import { redirect } from 'next/navigation';
import { routes } from '@/components/routes';

export default function SettingsPage(): never {
  redirect(routes.profile);
}
