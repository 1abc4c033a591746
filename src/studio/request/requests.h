// requests.h - the functions of the table of requests (table.c), by file: the table's own list.
//
// Each reads its request, does what it asks for and answers it, on the thread its row names.
#pragma once

#include "studio/hub/request.h"

// branches.c
void request_branch(request *r);
void request_worlds(request *r);
void request_log(request *r);

// card.c
void request_card(request *r);
void request_pedals(request *r);
void request_identify(request *r);

// collision.c
void request_collision(request *r);

// command.c
void request_set(request *r);
void request_road(request *r);
void request_fault(request *r);
void request_lead(request *r);
void request_estimator(request *r);

// concept.c
void request_concept(request *r);
void request_concept_change(request *r);

// concept_study.c
void request_concept_rig(request *r);
void request_analyses(request *r);
void request_analyse(request *r);

// drive.c
void request_drive(request *r);
void request_release(request *r);

// edit.c
void request_edit(request *r);
void request_car(request *r);
void request_grades(request *r);
void request_law(request *r);
void request_law_check(request *r);
void request_step(request *r);
void request_end(request *r);
void request_row(request *r);

// export.c
void request_export(request *r);

// figures.c
void request_figures(request *r);
void request_mileage(request *r);

// files.c
void request_files(request *r);

// lateral.c
void request_lateral(request *r);
// lanes.c
void request_lane(request *r);
void request_driver_lane(request *r);
void request_ersc(request *r);
void request_check_in(request *r);
void request_check_out(request *r);
void request_section(request *r);
void request_join(request *r);
void request_leave(request *r);
void request_split(request *r);
void request_merge(request *r);

// log.c
void request_log_remove(request *r);
void request_log_move(request *r);
void request_log_change(request *r);

// look.c
void request_look(request *r);

// mechanism.c
void request_mechanism(request *r);
void request_mechanism_change(request *r);

// modes.c
void request_rest(request *r);
void request_modes(request *r);
void request_sensitivity(request *r);
void request_travel(request *r);

// open.c
void request_open(request *r);

// page.c
void request_hello(request *r);
void request_subscribe(request *r);
void request_time(request *r);
void request_ack(request *r);

// pages.c
void request_pages(request *r);
void request_name(request *r);
void request_follow(request *r);

// past.c
void request_rows(request *r);
void request_seek(request *r);
void request_track(request *r);
void request_events(request *r);

// plan.c
void request_plan(request *r);

// preview.c
void request_preview(request *r);

// series.c
void request_series(request *r);

// spectrum.c
void request_spectrum(request *r);

// string_stability.c
void request_string(request *r);

// sweep.c
void request_sweep(request *r);
void request_sweep_stop(request *r);
void request_sweep_open(request *r);

// to_bench.c
void request_to_bench(request *r);

// undo.c
void request_undo(request *r);
void request_redo(request *r);
