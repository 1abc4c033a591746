# Embeds the files of a folder in a C file: cmake -DFOLDER=web/dist -DOUT=page_files.c -P embed.cmake
#
# The assembler includes the bytes (.incbin), so that a megabyte costs no compile time. x.gz next to
# x is its compressed form, not a separate file. Names are sorted: same files, same program.
cmake_minimum_required(VERSION 3.22)
file(GLOB_RECURSE files RELATIVE ${FOLDER} ${FOLDER}/*)
list(SORT files)
if(NOT "index.html" IN_LIST files)
  message(FATAL_ERROR "${FOLDER}/index.html is missing: the built page belongs in the repository. "
                      "To build it: cd web && npm ci && npm run build")
endif()

set(blobs "")
set(symbols "")
set(rows "")
set(count 0)

function(add_blob path symbol)
  string(APPEND blobs "__asm__(\".section .rodata\\n.balign 16\\n\"\n"
                      "        \".globl ${symbol}\\n.hidden ${symbol}\\n${symbol}:\\n\"\n"
                      "        \".incbin \\\"${path}\\\"\\n.byte 0\\n.text\\n\");\n")
  string(APPEND symbols "extern const uint8_t ${symbol}[];\n")
  set(blobs "${blobs}" PARENT_SCOPE)
  set(symbols "${symbols}" PARENT_SCOPE)
endfunction()

foreach(name ${files})
  if(name MATCHES "\\.gz$" OR name MATCHES "(^|/)\\.")
    continue()
  endif()
  if(NOT name MATCHES "^[A-Za-z0-9._/-]+$")
    message(FATAL_ERROR "${FOLDER}/${name}: names may have letters, digits, '.', '-' and '_'")
  endif()
  file(SIZE ${FOLDER}/${name} size)
  file(SHA256 ${FOLDER}/${name} hash)
  string(SUBSTRING ${hash} 0 16 hash)
  add_blob("${FOLDER}/${name}" page_blob_${count})
  set(gzip "0, 0")
  if(EXISTS ${FOLDER}/${name}.gz)
    file(SIZE ${FOLDER}/${name}.gz gzip_size)
    add_blob("${FOLDER}/${name}.gz" page_blob_${count}_gz)
    set(gzip "page_blob_${count}_gz, ${gzip_size}")
  endif()
  string(APPEND rows "    {\"/${name}\", page_blob_${count}, ${size}, ${gzip}, \"${hash}\"},\n")
  math(EXPR count "${count} + 1")
endforeach()

file(WRITE ${OUT} "// Made by cmake/embed.cmake from web/dist: do not edit.\n"
                  "#include \"studio/net/page_file.h\"\n\n${blobs}\n${symbols}\n"
                  "const page_file page_files[] = {\n${rows}};\n"
                  "const int page_file_count = ${count};\n")
