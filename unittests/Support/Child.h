//===- Child.h - Tests in processes of their own ----------------*- C++ -*-===//
//
// Runs what may crash, or take too long, in a child process.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_CHILD_H
#define LINALG_EXT_UNITTESTS_SUPPORT_CHILD_H

#include <cstddef>
#include <functional>
#include <string>
#include <sys/types.h>

namespace linalg_ext_test {

/// Runs `body` in a child, with the write end of a pipe. `readEnd` becomes the
/// read end. Ends this process if there is no pipe.
pid_t spawn(const std::function<void(int out)> &body, int &readEnd);

/// Writes `size` bytes to `fd`, or ends the process with the exit code 2.
void writeAll(int fd, const void *data, size_t size);

struct ChildResult {
  /// What `body` returned, or nothing if the child ended before that.
  std::string text;
  /// The status of waitpid.
  int status = 0;
};

/// Runs `body` in a child and waits for it.
ChildResult runInChild(const std::function<std::string()> &body);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_CHILD_H
