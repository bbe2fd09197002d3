package io.millrace.testkit.internal.patch;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import org.jspecify.annotations.Nullable;

/** What becomes of one kind of call. Stateless; works on any thread, since classes load on any. */
interface Rewrite {
  /** Emits what replaces the call, whose receiver and arguments are on the stack. */
  void emit(CodeBuilder code, InvokeInstruction call);

  /** What replaces a reference to the called method; null where a reference cannot be replaced. */
  default @Nullable DirectMethodHandleDesc reference(DirectMethodHandleDesc called) {
    return null;
  }
}
