package io.millrace.testkit.internal.patch;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import org.jspecify.annotations.Nullable;

/**
 * The replacement of a kind of call. Stateless; works on any thread, since classes load on any
 * thread.
 */
interface Rewrite {
  /** Emits the replacement of the call, whose receiver and arguments are on the stack. */
  void emit(CodeBuilder code, InvokeInstruction call);

  /**
   * Returns the replacement of a reference to the called method; null where a reference cannot be
   * replaced.
   */
  default @Nullable DirectMethodHandleDesc reference(DirectMethodHandleDesc called) {
    return null;
  }
}
