package io.millrace.efa;

import io.millrace.driver.CompletionHandler;
import io.millrace.efa.ofi.FabricErrno;

/** Turns libfabric's error numbers into the statuses of {@link CompletionHandler}. */
final class CompletionStatus {
  private CompletionStatus() {}

  /**
   * Returns the status of a failed one-sided write.
   *
   * @param errno positive
   * @param providerErrno the provider's own number, 0 without such a number
   */
  static int ofWrite(int errno, int providerErrno) {
    if (errno == FabricErrno.FI_EACCES
        || errno == FabricErrno.FI_ENOKEY
        || errno == FabricErrno.FI_EKEYREJECTED) {
      return CompletionHandler.STATUS_REMOTE_ACCESS;
    }
    if (errno == FabricErrno.FI_EINVAL && providerErrno == EFA_BAD_ADDRESS) {
      return CompletionHandler.STATUS_REMOTE_ACCESS;
    }
    return ofSend(errno);
  }

  /**
   * Whether a failed operation found no receive buffer at the target, so that a repeat may succeed;
   * {@code errno} is positive.
   */
  static boolean isNotReady(int errno) {
    return errno == FabricErrno.FI_ENORX || errno == FabricErrno.FI_EAGAIN;
  }

  /** Returns the status of a failed send; {@code errno} is positive. */
  static int ofSend(int errno) {
    return isUnreachable(errno)
        ? CompletionHandler.STATUS_UNREACHABLE
        : CompletionHandler.STATUS_FAILED;
  }

  private static boolean isUnreachable(int errno) {
    return errno == FabricErrno.FI_ENOTCONN
        || errno == FabricErrno.FI_ECONNREFUSED
        || errno == FabricErrno.FI_ECONNRESET
        || errno == FabricErrno.FI_ECONNABORTED
        || errno == FabricErrno.FI_ECANCELED
        || errno == FabricErrno.FI_ESHUTDOWN
        || errno == FabricErrno.EPIPE
        || errno == FabricErrno.FI_ENOENT
        || errno == FabricErrno.FI_ETIMEDOUT
        || errno == FabricErrno.FI_EHOSTDOWN
        || errno == FabricErrno.FI_EHOSTUNREACH
        || errno == FabricErrno.FI_ENETUNREACH;
  }

  /** The number that an EFA device reports beside {@code FI_EINVAL} for an invalid key. */
  private static final int EFA_BAD_ADDRESS = 7;
}
