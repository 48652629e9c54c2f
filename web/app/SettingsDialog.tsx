import { type ReactNode, useState } from 'react';
import type { Source } from '../../shared/wire/source.ts';
import { density } from '../choices/density.ts';
import { listTimes } from '../choices/list-times.ts';
import { notify } from '../choices/notify.ts';
import type { StoredChoice } from '../choices/stored-choice.ts';
import { theme } from '../choices/theme.ts';
import { timeZone } from '../choices/time-zone.ts';
import { useChoice } from '../choices/use-choice.ts';
import { wheel } from '../choices/wheel.ts';
import { timelineWindow } from '../choices/window.ts';
import { useLive } from '../data/live/use-live.ts';
import LevelPanel from '../health/LevelPanel.tsx';
import { Modal } from '../ui/Modal.tsx';
import { NameText } from '../ui/NameText.tsx';
import { Segments } from '../ui/Segments.tsx';
import { chooseLanguage, type LanguageChoice, language, useWords } from '../words/language.ts';
import { LANGUAGES } from '../words/words.ts';

/**
 * The settings of this browser (language, theme, density, times, timeline, notifications), and the watched sources with
 * their levels.
 */
export default function SettingsDialog({ onClose }: { onClose: () => void }) {
  const { settings } = useWords();
  const sources = useLive((state) => state.sources);
  return (
    <Modal title={settings.title} onClose={onClose}>
      <div className="modal-body settings">
        <h3>{settings.look}</h3>
        <LanguageSetting />
        <ChoiceSetting title={settings.theme} choice={theme} labels={settings.themes} />
        <ChoiceSetting title={settings.density} choice={density} labels={settings.densities} />
        <h3>{settings.times}</h3>
        <ChoiceSetting
          title={settings.timeZone}
          choice={timeZone}
          labels={{ browser: settings.zoneOfBrowser(browserZone()), utc: 'UTC' }}
        />
        <ChoiceSetting title={settings.listTimes} choice={listTimes} labels={settings.listTimesOf} />
        <h3>{settings.timeline}</h3>
        <ChoiceSetting title={settings.window} choice={timelineWindow} labels={settings.windows} />
        <ChoiceSetting title={settings.wheel} choice={wheel} labels={settings.wheels} />
        <h3>{settings.alarms}</h3>
        <NotifySetting />
        <p className="quiet">{settings.kept}</p>
        <h3>{settings.connection}</h3>
        {sources.length === 0 && <p>{settings.notConnected}</p>}
        {sources.map((source) => (
          <Connection key={source.id} source={source} />
        ))}
      </div>
    </Modal>
  );
}

/** The browser's own time zone: `Europe/Berlin`. */
function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function Setting({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="setting">
      <span aria-hidden="true">{title}</span>
      {children}
    </div>
  );
}

type ChoiceSettingProps<T extends string> = {
  title: string;
  choice: StoredChoice<T>;
  labels: Readonly<Record<T, string>>;
};

function ChoiceSetting<T extends string>({ title, choice, labels }: ChoiceSettingProps<T>) {
  const options = choice.values.map((value) => ({ value, label: labels[value] }));
  return (
    <Setting title={title}>
      <Segments label={title} value={useChoice(choice)} options={options} onChange={choice.choose} />
    </Setting>
  );
}

/** Switches notifications on or off. When they are switched on, the browser asks the user for permission. */
function NotifySetting() {
  const { settings } = useWords();
  const [isRefused, setRefused] = useState(false);
  const options = notify.values.map((value) => ({ value, label: settings.notifyOf[value] }));
  const choose = async (value: 'off' | 'on') => {
    setRefused(false);
    if (value === 'off') return notify.choose('off');
    const isPermitted = 'Notification' in window && (await Notification.requestPermission()) === 'granted';
    setRefused(!isPermitted);
    if (isPermitted) notify.choose('on');
  };
  return (
    <>
      <Setting title={settings.notify}>
        <Segments
          label={settings.notify}
          value={useChoice(notify)}
          options={options}
          onChange={(value) => void choose(value)}
        />
      </Setting>
      {isRefused && (
        <p role="alert" className="refusal">
          <span aria-hidden="true">✕</span> {settings.notifyRefused}
        </p>
      )}
    </>
  );
}

/** Each language has its own name in the list, so that users find theirs while the page is in another language. */
function LanguageSetting() {
  const { settings } = useWords();
  const chosen = useChoice(language);
  const [isMissing, setMissing] = useState(false);
  const choose = (value: LanguageChoice) => {
    setMissing(false);
    chooseLanguage(value).catch(() => setMissing(true));
  };
  const nameOf = (value: LanguageChoice) =>
    value === 'system' ? settings.languageOfSystem : <span lang={value}>{LANGUAGES[value]}</span>;
  const options = language.values.map((value) => ({ value, label: nameOf(value) }));
  return (
    <>
      <Setting title={settings.language}>
        <Segments label={settings.language} value={chosen} options={options} onChange={choose} />
      </Setting>
      {isMissing && (
        <p role="alert" className="refusal">
          <span aria-hidden="true">✕</span> {settings.languageMissing}
        </p>
      )}
    </>
  );
}

function Connection({ source }: { source: Source }) {
  const { health, settings } = useWords();
  return (
    <section className="setting-source" aria-label={source.url}>
      <p>
        <b>
          <NameText text={source.url} most={120} />
        </b>{' '}
        {settings.watched(health.status[source.status], health.level[source.level])}
      </p>
      <LevelPanel source={source} onDone={() => undefined} />
    </section>
  );
}
