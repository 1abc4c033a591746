// topics.ts - help by topic: what can be done, in a few sentences each. One box for all, and one command per topic, so
// that Ctrl K finds them.
import type { Core } from "../core/core.ts";
import { openDialog } from "../ui/dialog.ts";
import { h } from "../ui/dom.ts";

const TOPICS: [string, string, string[]][] = [
  [
    "time",
    "Time",
    [
      "Space plays and pauses; drag the timeline, or type a time into the clock. , and . go frame by frame, [ and ] change the speed.",
      "While a page plays at the live end, the simulation runs. Before the live end, the past is shown; End goes back to it.",
      "When the scenario is over, Run on continues it.",
    ],
  ],
  [
    "worlds",
    "Worlds and branches",
    [
      "A change made in the past does not alter it: the world branches there, and both run on one clock. B branches without a change.",
      "The menu of a world renames, hides, exports and removes it. Ctrl Z undoes the last change of any page, also a removal.",
    ],
  ],
  [
    "scene",
    "Road and scene",
    [
      "The wheel zooms at the pointer; a double click on a car makes it the fixed one. Dashed outlines are desired places, enlarged by the factor of the scene bar.",
      "A tag has the letter of the world and the number of the car: A3 is car3 of world A, A0 its leader.",
    ],
  ],
  [
    "cars",
    "Cars and platoons",
    [
      "Click a car for its form; Shift click adds cars, Ctrl A takes the platoon. + and a click put a car on the road, Del removes one.",
      "A number is for this car, for all cars of its model, or for all of its controller; the form says which.",
      "The tab Car has the manoeuvres of platoons: a car joins or leaves one, a platoon splits or merges with the one in front.",
    ],
  ],
  [
    "control",
    "Control laws",
    [
      "Gains are changed while the cars drive; the verdict says whether disturbances grow from car to car.",
      "Edit as formula shows the law as lines: a gain is k := 0.5 [1/s], a state z' = rate, the result a = acceleration. Ctrl Enter runs it.",
    ],
  ],
  [
    "drive",
    "Driving by hand",
    [
      "D, then a pedal: arrow up is throttle, arrow down brake, left and right steer; or mouse, touch, a gamepad. Esc lets go.",
      "The tab Lateral of a car has its steering wheel, its place across the lanes, the friction circles of its tyres and the plan of its lane change.",
    ],
  ],
  [
    "ersc",
    "Automated lanes (ERSC)",
    [
      "The line above the road has the level, 1 to 4 (Alt 1 to Alt 4), with the functions of each. On other roads with three lanes or more the Road panel switches it on.",
      "C, or the button in the form of a car, checks the selected car in or out. A green ring with a dot behind a car is its lamp; a dashed ring flashes about a car that is in an automated lane without check-in. A yellow wedge shows a car in the blind spot.",
      "A car that is not checked in, or any below level 4, is steered to another lane by its driver: drag it there, or press Shift and an arrow.",
    ],
  ],
  [
    "road",
    "Lanes, hills, friction",
    [
      "Drag up or down on the grade strip to make a hill. The Road panel has the same as a table, with friction, lanes and the commands of the roadway.",
    ],
  ],
  [
    "disturb",
    "Faults and disturbances",
    ["The tab Disturb of a car: pushes, sensor errors, lost radio, lost brakes; steps, pulses, sines."],
  ],
  [
    "cards",
    "Meters and plots",
    [
      "The + beside the cards adds plots, meters, spectra, the comparison of worlds, the log. Drag a number from a form into a plot.",
      "Layouts are saved by name: Save this layout in Ctrl K.",
    ],
  ],
  [
    "benches",
    "Benches",
    [
      "Identify finds a mass while driving, Mileage compares the fuel of two controllers, Sweep shows where a law breaks.",
    ],
  ],
  [
    "files",
    "Files",
    [
      "Drop scenarios (with the files they name), results, CSV or DYNAVIS data on the window. Share saves link, picture, video, CSV, scenario, state.",
    ],
  ],
  [
    "keyboard",
    "Keyboard",
    [
      "? lists all keys and changes them; Ctrl K finds every command, car and parameter; F1 explains what has the focus.",
    ],
  ],
];

export function startTopics(app: Core): void {
  let close: (() => void) | null = null;
  const open = (which: string | null): void => {
    close?.();
    const body = h(
      "div",
      { class: "kl-body tp-topics", tabindex: 0 },
      ...TOPICS.map(([name, title, texts]) =>
        h(
          "details",
          { open: which === null ? false : which === name, "data-topic": name },
          h("summary", null, title),
          ...texts.map((t) => h("p", null, t)),
        ),
      ),
    );
    close = openDialog("Help topics", h("h2", null, "Help topics"), body, () => (close = null));
    if (which) body.querySelector(`[data-topic="${which}"]`)?.scrollIntoView({ block: "nearest" });
  };
  app.command({
    name: "help.topics",
    title: "Help topics",
    group: "Help",
    help: "What can be done here, by topic.",
    run: () => open(null),
  });
  for (const [name, title, texts] of TOPICS)
    app.command({
      name: `help.topic.${name}`,
      title: `Help: ${title}`,
      group: "Help",
      help: texts[0]!,
      run: () => open(name),
    });
}
