package io.millrace.testkit.internal.patch;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/** Keeps the call, and lets it fail in a simulation before the call does anything. */
record Refuse(CallKind kind) implements Rewrite {
  private static final MethodTypeDesc TYPE =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String, ConstantDescs.CD_String);

  @Override
  public void emit(CodeBuilder code, InvokeInstruction call) {
    String owner = call.owner().asInternalName().replace('/', '.');
    code.ldc(owner + "." + call.name().stringValue());
    code.ldc(kind.instead(call.name().stringValue()));
    code.invokestatic(Descriptors.CALLS, "refuse", TYPE);
    code.with(call);
  }
}
