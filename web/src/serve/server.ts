// What the page asks the server, and what it hears. Addresses are relative: they begin with the token of the page.

export interface StoredFile {
  id: string;
  name: string;
  bytes: number;
  lines: number;
  empty: number;
  /** Code of the script of most letters; "" without letters. */
  script: string;
  /** The language, where the script tells it. */
  language: string | null;
  notes: string[];
}

export interface MetricChoice {
  metric: string;
  title: string;
  summary: string;
  weaknesses: string;
  higherIsBetter: boolean;
  needsSource: boolean;
  needsReferences: boolean;
  resources: string[];
  agreement: string;
  recommended: boolean;
  preselected: boolean;
  /** Why it cannot run; "" where it can. */
  lacking: string;
  /** What installs what is lacking; "" where nothing does. */
  command: string;
}

export type JobState = "waiting" | "running" | "done" | "failed" | "cancelled";

export interface Job {
  id: string;
  tab: string;
  state: JobState;
  stage: string;
  progress: number;
  message: string;
  files: string[];
  notes: string[];
  created: string;
  title: string;
  systems: string[];
  metrics: string[];
  language: string;
}

export interface JobRequest {
  visitor: string;
  tab: string;
  systems: { name: string; file: string }[];
  references: string[];
  source: string | null;
  language: string;
  metrics: string[];
  intervals: boolean;
  compare: boolean;
  page_language: string;
  title: string;
}

/** What the server says against a request; `lost` where it does not answer. */
export class Problem extends Error {
  constructor(message: string, readonly lost: boolean) {
    super(message);
  }
}

async function asked<T>(address: string, options: RequestInit = {}): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(address, { credentials: "same-origin", ...options });
  } catch {
    throw new Problem("", true);
  }
  const text = await answer.text();
  let data: unknown = null;
  try {
    data = JSON.parse(text);
  } catch {
    throw new Problem(text, false);
  }
  if (!answer.ok) throw new Problem((data as { problem?: string }).problem ?? text, false);
  return data as T;
}

/** A text of a table or a translation file, which the server takes apart. */
export interface StoredPart extends StoredFile {
  role: "source" | "references" | "systems";
  /** What a system is called in the table; "" for other texts. */
  system: string;
}

export const sendFile = (file: File, role: string): Promise<StoredFile | { parts: StoredPart[] }> =>
  asked(`files?name=${encodeURIComponent(file.name)}&role=${role}`, {
    method: "POST",
    body: file,
    headers: { "content-type": "application/octet-stream" },
  });

export const forgetFile = (id: string): Promise<object> => asked(`files/${id}`, { method: "DELETE" });

export const metricsOf = async (language: string): Promise<MetricChoice[]> =>
  (await asked<{ metrics: MetricChoice[] }>(`metrics?language=${encodeURIComponent(language)}`)).metrics;

export const jobsOf = async (visitor: string): Promise<Job[]> =>
  (await asked<{ jobs: Job[] }>(`jobs?visitor=${visitor}`)).jobs;

export const startJob = (request: JobRequest): Promise<Job> =>
  asked("jobs", { method: "POST", body: JSON.stringify(request), headers: { "content-type": "application/json" } });

export const cancelJob = (id: string): Promise<Job> => asked(`jobs/${id}/cancel`, { method: "POST" });

export const removeJob = (id: string): Promise<object> => asked(`jobs/${id}`, { method: "DELETE" });

/** Hear of the jobs of a tab until all are over. As long as the stream is open the server knows that the tab is there. */
export function follow(tab: string, told: (job: Job) => void, ended: (lost: boolean) => void): void {
  const events = new EventSource(`tabs/${tab}/events`);
  let failures = 0;
  events.onmessage = (event: MessageEvent<string>) => {
    failures = 0;
    told(JSON.parse(event.data) as Job);
  };
  events.addEventListener("end", () => {
    events.close();
    ended(false);
  });
  // A browser tries again by itself; after a few times nobody is there.
  events.onerror = () => {
    failures += 1;
    if (failures < 4 && events.readyState !== EventSource.CLOSED) return;
    events.close();
    ended(true);
  };
}
