//===- ContractTest.cpp - Distributed contractions, executed --------------===//
