// branch_list.h - the branches of the hub: those that pages see.
//
// The simulation thread alone puts branches in and takes them out; any thread finds them.
#pragma once

#include "studio/hub/branch.h"

int branch_list_add(hub *h, branch *b); // its number; -1: no place. The list holds it
int branch_list_add_as(hub *h, branch *b, int number);
void branch_list_remove(hub *h, branch *b);    // all pages are told
void branch_list_set_aside(hub *h, branch *b); // the same; its run stays, the caller holds it
void branch_list_clear(hub *h);                // they are not

branch *branch_list_find(hub *h, int number); // held, or NULL; any thread
int branch_list_all(hub *h, branch **out);    // all, held, the main one first; any thread
