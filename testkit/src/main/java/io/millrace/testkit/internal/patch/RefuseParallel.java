package io.millrace.testkit.internal.patch;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/**
 * Keeps the call, and lets it fail in a simulation if its last argument asks for a parallel stream.
 */
record RefuseParallel() implements Rewrite {
  private static final MethodTypeDesc TYPE =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_boolean);

  @Override
  public void emit(CodeBuilder code, InvokeInstruction call) {
    code.dup();
    code.invokestatic(Descriptors.CALLS, "refuse", TYPE);
    code.with(call);
  }
}
