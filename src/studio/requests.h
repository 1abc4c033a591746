// requests.h - the functions of the table of requests (request_table.c).
#pragma once

#include "studio/parts.h"

// request_page.c
void request_hello(request *r);
void request_subscribe(request *r);
void request_time(request *r);
void request_ack(request *r);

// request_pages.c
void request_pages(request *r);
void request_name(request *r);
void request_follow(request *r);

// drive.c
void request_drive(request *r);
void request_release(request *r);

// request_past.c
void request_rows(request *r);
void request_seek(request *r);
void request_track(request *r);
void request_events(request *r);

// request_series.c
void request_series(request *r);

// request_change.c
void request_set(request *r);
void request_road(request *r);
void request_fault(request *r);

// request_edit.c
void request_edit(request *r);
void request_car(request *r);
void request_grades(request *r);
void request_law(request *r);
void request_law_check(request *r);
void request_step(request *r);
void request_end(request *r);
void request_row(request *r);

// undo.c
void request_undo(request *r);
void request_redo(request *r);

// request_world.c
void request_branch(request *r);
void request_worlds_op(request *r);
void request_log(request *r);

// request_log.c
void request_log_remove(request *r);
void request_log_move(request *r);
void request_log_change(request *r);

// answer_*.c
void request_string(request *r);
void request_figures(request *r);
void request_mileage(request *r);
void request_spectrum(request *r);
void request_collision(request *r);
void request_card(request *r);
void request_pedals(request *r);
void request_identify(request *r);
void request_sweep(request *r);
void request_sweep_stop(request *r);
void request_sweep_open(request *r);

// open.c, export.c
void request_files(request *r);
void request_preview(request *r); // preview.c
void request_open(request *r);
void request_export(request *r);
