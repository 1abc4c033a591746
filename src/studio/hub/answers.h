// answers.h - the answers thread: questions to histories, files.
#pragma once

void *answers_thread(void *hub);
