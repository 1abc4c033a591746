// listen.h - the socket the studio listens on, and the address to type into a browser.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>

// port 0: any free one, *port tells which. address: digits or a name of this machine.
mc_status listen_open(const char *address, int *port, int *listener, mc_error *error);

// http://127.0.0.1:8080/?token=...; listening on all addresses it has the machine's name.
void listen_address(const char *address, const char *machine, int port, const char *token,
                    char *out, size_t size);

bool listen_random(char *hex, int digits); // that many hex digits and a '\0'
