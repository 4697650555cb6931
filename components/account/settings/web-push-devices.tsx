'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useState } from 'react';
import type { WebPushDeviceView } from '@/lib/notifications/schema';
import { ConfirmDialog } from '../../forms/confirm-dialog';
import type { PushState } from '../../shell/device/web-push';
import { Button } from '../../ui/controls/button';
import { Badge } from '../../ui/display/badge';
import { Card } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';
import { toast } from '../../ui/overlays/toast';

export interface WebPushDevicesProps {
  userId: string;
  /** The key with which this browser subscribes. */
  publicKey: string;
  devices: WebPushDeviceView[];
}

const loadPush = () => import('../../shell/device/web-push');

/** Turns notifications on in this browser, and lists the user's devices. */
export function WebPushDevices({ userId, publicKey, devices }: WebPushDevicesProps): ReactNode {
  const t = useTranslations('account.webPushDevices');
  const router = useRouter();
  const current = devices.find((device) => device.current);
  const others = devices.filter((device) => !device.current);
  async function removed(device: WebPushDeviceView): Promise<void> {
    if (device.current) await (await loadPush()).turnOffPush();
    toast({ tone: 'good', text: t('removed', { device: device.device }) });
    router.refresh();
  }
  return (
    <Card>
      <ul className="divide-y divide-line">
        <li className="p-5">
          {current ? (
            <DeviceRow device={current} onRemoved={removed} />
          ) : (
            <ThisDevice onDone={() => router.refresh()} publicKey={publicKey} userId={userId} />
          )}
        </li>
        {others.map((device) => (
          <li className="p-5" key={device.id}>
            <DeviceRow device={device} onRemoved={removed} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface ThisDeviceProps extends Pick<WebPushDevicesProps, 'userId' | 'publicKey'> {
  onDone: () => void;
}

/** Asks for the permission when pressed, or explains why this browser cannot display notifications. */
function ThisDevice({ userId, publicKey, onDone }: ThisDeviceProps): ReactNode {
  const t = useTranslations('account.webPushDevices');
  const [state, setState] = useState<PushState | null>(null);
  const [pending, setPending] = useState(false);
  useEffect(() => {
    loadPush()
      .then(({ readPushState }) => readPushState(userId))
      .then(setState, () => setState('unsupported'));
  }, [userId]);

  async function turnOn(): Promise<void> {
    setPending(true);
    try {
      const next = await (await loadPush()).turnOnPush(userId, publicKey);
      setState(next);
      if (next === 'on') toast({ tone: 'good', text: t('turnedOn') });
      onDone();
    } catch (error) {
      const problem = error instanceof Error ? error.message : '';
      toast({ tone: 'danger', text: t('failed', { problem }) });
    } finally {
      setPending(false);
    }
  }

  const isPossible = state === 'off' || state === 'on';
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 max-w-prose">
        <p className="font-medium">{t('thisDevice')}</p>
        <p className="mt-1 text-sm text-muted">{t(state === null || isPossible ? 'off' : state)}</p>
      </div>
      {isPossible ? (
        <Button onClick={() => void turnOn()} pending={pending} tone="primary">
          {t('turnOn')}
        </Button>
      ) : null}
    </div>
  );
}

interface DeviceRowProps {
  device: WebPushDeviceView;
  onRemoved: (device: WebPushDeviceView) => Promise<void>;
}

function DeviceRow({ device, onRemoved }: DeviceRowProps): ReactNode {
  const t = useTranslations('account.webPushDevices');
  const { id, device: name, current, createdAt, lastSentAt } = device;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span lang="en">{name}</span>
          {current ? <Badge tone="good">{t('thisDevice')}</Badge> : null}
        </p>
        <p className="mt-1 text-sm text-muted">
          {lastSentAt === null
            ? t.rich('added', { time: () => <DateTime at={createdAt} /> })
            : t.rich('lastSent', { time: () => <DateTime at={lastSentAt} /> })}
        </p>
      </div>
      <ConfirmDialog
        action={t('remove')}
        onDone={() => void onRemoved(device)}
        path={`/api/web-push/devices/${id}`}
        title={t('removeTitle', { device: name })}
        trigger={<Button aria-label={t('removeLabel', { device: name })}>{t('remove')}</Button>}
      >
        {t('removeConfirm')}
      </ConfirmDialog>
    </div>
  );
}
