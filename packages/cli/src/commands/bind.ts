/** What `--bind` does, for the help of all commands that start ranks. */
export const BIND_HELP =
  "processors of the ranks: auto, none, 0-3,8 to divide, 0-3/4-7 for each (COBRE_LAUNCH_BIND, auto)";
