//===- Child.cpp - Tests in processes of their own ------------------------===//
//
// See Child.h.
//
//===----------------------------------------------------------------------===//

#include "Child.h"

#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

pid_t linalg_ext_test::spawn(const std::function<void(int out)> &body,
                             int &readEnd) {
  int ends[2];
  if (pipe(ends) != 0)
    std::abort();
  // What is buffered would be written twice.
  std::fflush(nullptr);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    body(ends[1]);
    std::fflush(nullptr);
    _exit(0);
  }
  close(ends[1]);
  readEnd = ends[0];
  return child;
}

void linalg_ext_test::writeAll(int fd, const void *data, size_t size) {
  for (auto *at = static_cast<const char *>(data); size > 0;) {
    ssize_t written = write(fd, at, size);
    if (written <= 0)
      _exit(2);
    at += written;
    size -= written;
  }
}

linalg_ext_test::ChildResult
linalg_ext_test::runInChild(const std::function<std::string()> &body) {
  int fd;
  pid_t child = spawn(
      [&](int out) {
        std::string text = body();
        writeAll(out, text.data(), text.size());
      },
      fd);
  ChildResult result;
  char buffer[4096];
  ssize_t got;
  while ((got = read(fd, buffer, sizeof(buffer))) > 0)
    result.text.append(buffer, got);
  close(fd);
  waitpid(child, &result.status, 0);
  return result;
}
