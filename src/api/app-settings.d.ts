// Generated from src/config/options/ by `npm run generate`.
import type { Signal } from '../config/spec.js';

interface Values {
  /** The name of the app in every command. In a file, a new name starts a second app beside the old one; `restart <app> --name <new>` renames: change the file too. Default: the name of the script without its extension; for index, app, server and main the name of the package or the directory; if apps of a file would have the same name, that of the directory of the script. */
  name: string;
  /** The name of a group of apps. Commands accept it in place of the names of all of them. Default: `default`. */
  namespace: string;
  /** Arguments of the program. Quotes in a string are respected. Default: none. */
  args: string | readonly (string | number | boolean)[];
  /** The working directory of the program. Every reload resolves symbolic links in it, and in the path of `script`, again. Default: the directory of the ecosystem file, or the one where `start` was typed. */
  cwd: string;
  /** The command that runs the script, or `none` if the script is executable itself. The path of another Node binary works in cluster mode too. Default: by extension: Node for .js .mjs .cjs .ts .mts .cts, python3 for .py, bash for .sh, php for .php, ruby for .rb, perl for .pl, Node for any other file whose first line names it; otherwise none. */
  interpreter: string;
  /** Arguments for Node, or for another interpreter, before the script. In cluster mode the inspector of worker n listens on the port of `--inspect` (9229 by default) plus n. Each reload changes between that port and one higher by the number of workers: of four, worker 0 is on 9229 and 9233 in turn. Default: none. */
  node_args: string | readonly (string | number | boolean)[];
  /** Whether stack traces name the lines of the sources that the program was compiled from, such as TypeScript (`--enable-source-maps` of Node). Default: on where the script has a `.map` file beside it. */
  source_maps: boolean;
  /** Number of workers: `4` (at most 1000), `max` (one for each core, also `0`), or `-1` (all cores but one; at least one). The CPU limit of a container counts, rounded down (cgroup v2, or a Node with libuv 1.49 or newer); when it changes, workers are added or drained. `2..max` scales by load, in cluster mode: see [how](../guides/autoscaling.md), also for the map with `elu` and `cooldown`. Default: `1`. */
  instances:
    | number
    | 'max'
    | `${number}`
    | `${number}..${number | 'max'}`
    | { min?: number | 'max'; max?: number | 'max'; elu?: number; cooldown?: number | string };
  /** Number of workers that must be ready for `/ready` to answer 200, or a percentage of them, rounded up; never more than the app has. `0`: the app does not count. Default: `1`. */
  ready_min: number | `${number}%`;
  /** How the program runs. `cluster`: the processes share their ports and are replaced without a lost request. `fork`: plain processes, for every other program; a reload stops each one before its successor starts. Default: `cluster` for programs that Node runs, otherwise `fork`. */
  exec_mode: 'cluster' | 'fork';
  /** How connections are distributed to the workers of a cluster. `fair`: for most programs. The workers accept them directly, and one that has more than its share of open connections hands over the surplus. `round-robin`: if some requests compute for long, so that fewer of the others wait behind them. The primary accepts connections and gives one to each worker in turn, at about twice the CPU time. `sticky`: if a client must reach the same worker again, as in long-polling with socket.io. Its address decides; the default of [apps that depend on it](../guides/socket.io.md). Default: `fair`. */
  scheduling: 'fair' | 'round-robin' | 'sticky';
  /** The environment variable that contains the number of the worker, from 0. Default: `NODE_APP_INSTANCE`. */
  instance_var: string;
  /** An environment variable with a whole number, to which the number of each worker is added: with `PORT`, every process gets its own port. Default: none. */
  increment_var: string;
  /** Environment variables. Maps and lists are passed as JSON; a variable without a value (null) is left out. Default: none. */
  env: Record<string, string | number | boolean | object | null | undefined>;
  /** The variable `PORT`, as if `env` set it: the program must read it. With `increment_var: PORT` each worker has its own port, from this one. Default: none. */
  port: number | `${number}`;
  /** Files of `NAME=value` lines, relative to the ecosystem file. Later files override earlier ones. A value in single or double quotes or in backticks may span lines and contain `#`, which otherwise begins a comment; `\n` in double quotes is a line break. `export` before a name is ignored. `$A` is not expanded. Node 20 reads the file of `--env-file` too, and fails with `not found` if it does not exist. Default: none. */
  env_file: string | readonly string[];
  /** Whether a process that exits is started again. Default: `true`. */
  autorestart: boolean;
  /** Exit codes that mean that the work is done, so that the process is not started again. Default: none. */
  stop_exit_codes: readonly number[] | number | string;
  /** Time that a worker must run, once it listens, before a command says that it has started; if it exits earlier, the command fails. A program that never listens is online only then. `start` waits no longer than `listen_timeout`. The first new worker of a reload must run as long before it replaces an old one and the others follow. Default: `1s`. */
  min_uptime: number | string;
  /** Number of unexpected exits of a worker that are allowed within `restart_window`. After more, it stays `errored` until `nodecluster start` tries again. Default: `12`. */
  max_restarts: number | `${number}`;
  /** The sliding time window in which `max_restarts` counts. Time that a worker spends on a start that fails does not count. Default: `1m`. */
  restart_window: number | string;
  /** Minimum delay before a restart. Without it, the first restart is immediate. Default: `0`. */
  restart_delay: number | string;
  /** Delay before the second restart within `restart_window`. It doubles with each further restart. Default: `100ms`. */
  exp_backoff_restart_delay: number | string;
  /** Upper limit of the doubled delay. Default: `5s`. */
  max_restart_delay: number | string;
  /** A worker whose event loop has been blocked for this long is killed 2 to 4 s later (SIGABRT, after `kill_timeout` SIGKILL) and restarted. One that has been blocked since its start is given at least `listen_timeout`. Cluster mode only. Without this option, such a worker is shown as `blocked` and left alone. Default: never. */
  hang_timeout: number | string;
  /** Count a worker as online only after it calls `process.send('ready')` or `process.send({ready: true})`. Default: `false`. */
  wait_ready: boolean;
  /** Time that a new worker has to listen (or to send `ready`). After it the start has failed; in a reload the old worker stays. But a program that has never listened counts as online then, and the command says that it listens on nothing. Waiting for a CPU does not count, up to ten times this. Default: `10s`. */
  listen_timeout: number | string;
  /** Time for which the HTTP servers of the program keep an idle connection open. Behind a proxy it must be longer than the timeout of the proxy (nginx and the load balancer of AWS: 60 s): otherwise the proxy sends a request on a connection that Node is closing, and its client gets 502. `headersTimeout` is raised with it. A value that the program sets itself stays. Cluster mode only. Default: what the program sets; Node has 5 s. */
  keep_alive_timeout: number | string;
  /** Time that a worker has to finish its requests before `kill_signal`, when it is replaced or stopped. What is still open then is closed and counted. A raw TCP connection that is silent is not waited for. A worker whose event loop is blocked gets only `kill_timeout` to become responsive. In fork mode `kill_signal` comes at once, and the program has to finish its requests itself. Default: `30s`. */
  drain_timeout: number | string;
  /** Time for which an app accepts connections after it was asked to stop (SIGTERM of `run`, `stop`, `delete`, `kill`, the end of the service), while `/ready` says no, so that a load balancer can stop sending them. With several apps, the longest delay counts. Default: `0`. */
  shutdown_delay: number | string;
  /** Time for which clients wait, and are not refused, while no worker is left and one is about to start, or the primary was killed. Time in which workers of a restart still drain does not count. Default: `30s`. */
  hold_timeout: number | string;
  /** The signal that asks a worker to exit. `auto`: SIGINT for a Node program that handles SIGINT and not SIGTERM, as is usual under PM2; SIGTERM for every other, and for a worker that does not reply within 1 s because its event loop is blocked. Default: `auto`. */
  kill_signal: Signal | 'auto';
  /** Time from `kill_signal` to SIGKILL. Default: `5s`. */
  kill_timeout: number | string;
  /** Whether every process that a worker started is stopped with it, including daemons. They get `kill_signal` when it has exited, and SIGKILL when `kill_timeout` is over. `false` leaves them running. Default: `true`. */
  treekill: boolean;
  /** Ask a worker to exit with the message 'shutdown' (the event `message` of `process`) in place of a signal. Default: `false`. */
  shutdown_with_message: boolean;
  /** Apps of the same file that come first: a list, or a map that says what each must be. `ready` (the meaning of a list): all its workers are online. `started`: its processes exist. `exited`: it has done its work and has exited with 0, as a migration does; such an app needs `autorestart: false` or `stop_exit_codes: [0]`, and runs again whenever a command but `apply` starts, reloads or restarts it. If one of them fails, the app is not touched; one that does not run waits on (`ls`: `waiting for db`). `stop`, `delete` and `kill` go the other way round. Default: none. */
  depends_on: string | readonly string[] | Record<string, 'ready' | 'started' | 'exited'>;
  /** Number of workers that a reload replaces at the same time, once the first new worker has stayed up for `min_uptime`. As many new workers boot as old ones finish their requests, so there are at most `instances` plus twice this number. A change of `interpreter` or `scheduling` has all new workers beside all old ones. Default: `0`: a quarter of the workers, at least 1. */
  max_surge: number | `${number}`;
  /** Number of workers, beside `instances`, that have loaded the program and listen, but get no connections (0 to 4). When a worker dies, hangs, is unhealthy or due to be replaced, or the app is scaled up, one of them serves in its place at once, and the next spare boots. For servers in cluster mode whose connections can be held back: see [spares](../guides/spares.md). Default: `0`. */
  spares: number | `${number}`;
  /** Where variables are read at each start of a worker, as the user of the app: they are never stored, a `reload` takes new values, and later sources override earlier ones and `env`. Each has `file` and `as` (the name of the variable), or `directory` (each file is a variable: `db-password` is `DB_PASSWORD`), or `command`, without a shell, which prints the value of `as`, or lines of `NAME=value`. Paths are relative to `cwd`; `$NAME` at their beginning is a variable of the app: `$CREDENTIALS_DIRECTORY`. A line break at the end of a value is removed. `timeout` (10s): the limit of one source. A variable has at most 128 KiB with its name, all together 1 MiB. See [secrets](../guides/secrets.md). Default: none. */
  env_from: readonly {
    file?: string;
    directory?: string;
    command?: string | readonly (string | number | boolean)[];
    as?: string;
    timeout?: number | string;
  }[];
  /** A file that contains the pid of the worker while it runs, relative to `cwd`. With several workers each has its own, with its number before the extension: `api-0.pid`. Default: none. */
  pid_file: string;
  /** A worker that uses more memory than this (RSS, measured every 5 s) is replaced as in a reload. Between two measurements it may use more: see [limits](../guides/limits.md). Default: no limit. */
  max_memory_restart: number | string;
  /** A worker that has answered this many HTTP requests is replaced as in a reload, up to 10 % earlier or later, so that they are not all replaced together. Cluster mode only. Default: no limit. */
  max_requests: number | `${number}`;
  /** A worker that is this old is replaced as in a reload, up to 10 % earlier or later. Default: no limit. */
  max_age: number | string;
  /** How each worker is checked: a path (2xx and 3xx are healthy), or a map. A check begins every `interval` (10s) and fails after `timeout` (5s). After `failures` (3) in a row the worker gets no new connections and is replaced as in a reload; if all of several workers fail, none is replaced. A new worker is online only after its first success; failures in its first `start_period` (30s) do not count. [More](../guides/health-checks.md). `http`: a path, requested of every worker by itself, or a URL if a worker listens on several ports. `exec`: a command without a shell; exit code 0 is healthy. Default: no checks. */
  health:
    | {
        http?: string;
        exec?: readonly (string | number | boolean)[] | string | number;
        interval?: number | string;
        timeout?: number | string;
        failures?: number | `${number}`;
        start_period?: number | string;
        startPeriod?: number | string;
      }
    | string;
  /** Reload the app at these times: a cron pattern of five fields, or six with seconds first, in the local time of the daemon or in `timezone`. Default: none. */
  cron_restart: string | false;
  /** Reload the app when a file changes: in `cwd`, or in the paths that the ecosystem file lists. The flag takes no paths. At most 20,000 directories are watched, and other file systems only if they are listed; `ls` names what is not. Default: `false`. */
  watch: boolean | string | readonly string[];
  /** Files and directories whose changes are ignored, as in a .gitignore relative to `cwd`: names at any depth (`*.log`), or paths (`public/uploads`, `tmp/**`). node_modules, .git, logs, the home directory of nodecluster, and the log files and pid files of all apps are always ignored. Default: none. */
  ignore_watch: string | readonly string[];
  /** How long to wait for further changes before the reload. A file that has caused three within a minute causes the next one later, at most a minute. Default: `200ms`. */
  watch_delay: number | string;
  /** Makes the app a job: its program runs at these times, and not when the app is started. A cron pattern of five fields, or six with seconds first. Exit code 0, or one of `stop_exit_codes`, is success. A job has one process, in fork mode. To make a job of an app, or the other way round, needs a restart. See [jobs](../guides/jobs.md). Default: none. */
  schedule: string | false;
  /** The time zone of `schedule`, `cron_restart` and `log_rotate.rotate`. Default: the daemon's own. */
  timezone: string;
  /** What happens if the last run has not ended when the next one is due. `skip`: that run is skipped. `queue`: it begins when the last one has ended; more than one do not wait. `replace`: the last one is stopped first. Default: `skip`. */
  overlap: 'skip' | 'queue' | 'replace';
  /** Alarms. Each has `event`, the type of an event or a pattern such as `worker.*`, or a list of them (`failed: true`: only those with an outcome that is a failure), and either `run`, a command without a shell, or `post`, a URL that gets the event as JSON. Further keys: [alarms](../guides/alarms.md#settings). Default: none. */
  on: readonly {
    event: string | readonly string[];
    failed?: boolean;
    run?: string | readonly (string | number | boolean)[];
    post?: string;
    headers?: Record<string, string | number>;
    timeout?: number | string;
    interval?: number | string;
  }[];
  /** The file for the stdout of the workers, relative to `cwd`. Missing directories are created. `/dev/null` or `"NULL"` discards the output. Default: `logs/<name>-out.log` in the home directory. */
  out_file: string;
  /** The file for the stderr of the workers, as `out_file`. Default: `logs/<name>-error.log` in the home directory. */
  error_file: string;
  /** One file for both streams, in the order of their lines. A stream then has its own file only if `out_file` or `error_file` names one. Default: none. */
  log_file: string;
  /** Whether all output is discarded, as with `/dev/null` for `out_file` and `error_file`. Default: `false`. */
  disable_logs: boolean;
  /** Whether all workers write to the same files. With `false`, each worker has its own: `<name>-<number>-out.log`, or `out-<number>.log` if `out_file` is `out.log`. Default: `true`. */
  merge_logs: boolean;
  /** The format of a line. `text`: `<time> <name>:<number> | <message>`. `json`: an object with `time`, `app`, `worker`, `stream` and `message`. `raw`: as the program writes it. Default: `text`. */
  log_type: 'text' | 'raw' | 'json';
  /** Whether `text` lines start with their time. Default: `true`. */
  time: boolean;
  /** The format of the time in `text` and `json` lines, in local time: made of YYYY MM DD HH mm ss SSS Z, with other letters in [brackets]. Default: ISO 8601 in UTC with milliseconds. */
  log_date_format: string;
  /** A log file that would grow beyond `max_size` (64K or more) is renamed at the end of a line, to `<file>.<number>`; with `rotate: daily`, or a cron pattern, at these times too, and the name ends with the day of its last line. The newest `keep` of them stay, with `compress` as `.gz`. `false` turns rotation off. Default: `{max_size: 10M, keep: 10, compress: true}`. */
  log_rotate:
    | {
        max_size?: number | string;
        maxSize?: number | string;
        rotate?: string | boolean | number;
        keep?: number | `${number}`;
        compress?: boolean;
      }
    | boolean;
  /** The user that the app runs as. Only root can set it. The workers and the primary get nothing of root: neither its variables nor its files nor its ports. Default: your own. */
  uid: number | string;
  /** The group that the app runs as, the only one that it has. Only root can set it. Default: the primary group of `uid`, or your own. */
  gid: number | string;
  /** Ports below 1024 that an app with `uid` may listen on. The daemon opens them as root. `80` is port 80 of every address; a program that listens on one address needs that too, as in `127.0.0.1:80`. Default: none. */
  privileged_ports: string | number | readonly (string | number)[];
}

type Settings = { [Key in keyof Values]?: Values[Key] | null };

type CamelCase<Key extends string> = Key extends `${infer Start}_${infer Rest}`
  ? `${Start}${Capitalize<CamelCase<Rest>>}`
  : Key;

type InCamelCase = { [Key in keyof Settings as CamelCase<Key>]: Settings[Key] };

/**
 * The settings of a program. Each key can be written in snake_case or in camelCase, but not in
 * both. `null` means the default. See docs/reference/configuration.md.
 */
export interface ProgramSettings extends Settings, InCamelCase {
  /** Variables that override `env` when the command has `--env <name>`. Default: none. */
  [environment: `env_${string}`]:
    | Record<string, string | number | boolean | object | null | undefined>
    | Settings['env_file' | 'env_from'];
}

/** An app as in an ecosystem file. */
export interface AppSettings extends ProgramSettings {
  /** The program: a file (looked up in `cwd`, then next to the ecosystem file), or a command with arguments (`npm start`). A Node program behind a command is found: see [commands](commands.md#commands-and-the-programs-behind-them). What only a shell understands runs in `sh`, in fork mode. Default: none, it must be given. */
  script: string;
}
