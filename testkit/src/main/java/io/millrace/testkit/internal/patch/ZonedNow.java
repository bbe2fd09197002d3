package io.millrace.testkit.internal.patch;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.MethodTypeDesc;

/**
 * Replaces {@code now(zone)} of a class of java.time by {@code now(clock)} with a clock of the
 * zone.
 */
record ZonedNow() implements Rewrite {
  @Override
  public void emit(CodeBuilder code, InvokeInstruction call) {
    code.invokestatic(
        Descriptors.CALLS, "clock", MethodTypeDesc.of(Descriptors.CLOCK, Descriptors.ZONE));
    code.invokestatic(
        call.owner().asSymbol(),
        call.name().stringValue(),
        MethodTypeDesc.of(call.typeSymbol().returnType(), Descriptors.CLOCK),
        call.isInterface());
  }
}
