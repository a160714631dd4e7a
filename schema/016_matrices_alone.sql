-- The blobs that were copied into matrix after 015_matrices.sql.
DROP TABLE run_basis;
DROP TABLE summed_documents;
DROP TABLE projection_sums;
ALTER TABLE run_checkpoint DROP COLUMN data;
ALTER TABLE run_checkpoint DROP COLUMN hash;
